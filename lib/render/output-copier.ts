/**
 * The script of the container that copies the profiler's result to a ConfigMap: it waits until the profiler has terminated and its output file
 * exists, then applies the ConfigMap. It matches the script of the original operator byte for byte, comments included.
 */
export function outputCopierScript(name: string, namespace: string): string {
  return `
set -e
set -o pipefail
# Wait for the profiler container to complete, not just for the file to exist
# This ensures we capture the final config, not intermediate results
echo "Waiting for profiler to complete..."
while true; do
  # Check if profiler container has finished (either Completed or Error state)
  # Use kubectl to check the pod's container status
  STATUS=$(kubectl get pod $HOSTNAME -n ${namespace} -o jsonpath='{.status.containerStatuses[?(@.name=="profiler")].state}' 2>/dev/null || echo "")
  if echo "$STATUS" | grep -q "terminated"; then
    echo "Profiler container has terminated"
    break
  fi
  sleep 5
done

# Now wait for the output file to exist
echo "Waiting for output file /data/config_with_planner.yaml..."
while [ ! -f /data/config_with_planner.yaml ]; do sleep 2; done
echo "Output file found, creating ConfigMap..."

# Start building ConfigMap YAML with DGD spec
cat >/tmp/cm.yaml <<EOF
apiVersion: v1
kind: ConfigMap
metadata:
  name: dgdr-output-${name}
  namespace: ${namespace}
  labels:
    dgdr.nvidia.com/name: ${name}
    nvidia.com/managed-by: dynamo-operator
data:
  config_with_planner.yaml: |
EOF
sed 's/^/    /' /data/config_with_planner.yaml >> /tmp/cm.yaml

# Add mocker config (profiler always generates both real and mocker configs)
if [ -f /data/mocker_config_with_planner.yaml ]; then
  echo "  mocker_config_with_planner.yaml: |" >> /tmp/cm.yaml
  sed 's/^/    /' /data/mocker_config_with_planner.yaml >> /tmp/cm.yaml
  echo "Added mocker config to ConfigMap"
fi

# Note: Profiling data (raw_data.npz converted to JSON) is included in the
# generated DGD YAML as a separate ConfigMap by the profiler, no need to add it here

kubectl apply -f /tmp/cm.yaml
echo "Saved profiling output to ConfigMap dgdr-output-${name}"
`;
}
