/**
 * `templates/tests/connection.yaml`: the pod of `helm test`, which connects to every Service of the release. It uses the NATS image, which contains
 * `nc`, so that no other image is pulled.
 */
export const testPod = `{{- $operator := index .Values "dynamo-operator" -}}
{{- $targets := list -}}
{{- if and (ne (toString $operator.enabled) "false") (ne (include "dynamo.webhooks" .) "off") -}}
{{- $targets = append $targets (printf "%s-webhook-service 443" (include "dynamo.dynamo-operator.fullname" .)) -}}
{{- end -}}
{{- if .Values.nats.enabled -}}
{{- $targets = append $targets (printf "%s 4222" (include "dynamo.nats.fullname" .)) -}}
{{- end -}}
{{- if .Values.etcd.enabled -}}
{{- $targets = append $targets (printf "%s 2379" (include "dynamo.etcd.fullname" .)) -}}
{{- end -}}
apiVersion: v1
kind: Pod
metadata:
  name: {{ printf "%s-test" .Release.Name | quote }}
  namespace: {{ .Release.Namespace | quote }}
  labels:
    app.kubernetes.io/name: dynamo-platform-test
    app.kubernetes.io/instance: {{ .Release.Name | quote }}
  annotations:
    helm.sh/hook: test
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  {{- with include "dynamo.pullSecrets" (list $ $operator.imagePullSecrets) | fromJsonArray }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: connect
      image: {{ include "dynamo.image" (list $ (printf "nats:%s" .Values.nats.container.image.tag)) | quote }}
      command:
        - sh
        - -ec
        - |
          {{- range $targets }}
          echo "connecting to {{ . }}"
          nc -z -w 10 {{ . }}
          {{- end }}
          echo "all Services answer"
      resources:
        requests:
          cpu: 10m
          memory: 16Mi
        limits:
          memory: 32Mi
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop:
            - ALL
`;
