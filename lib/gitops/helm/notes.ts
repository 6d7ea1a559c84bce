/** `NOTES.txt`: what helm prints after an install. */
export function notesTemplate(graphs: boolean): string {
  const later = `{{- if not .Values.graphs.enabled }}

The graphs of this chart are not installed yet, because the operator's webhook must be running first. Once it is:
  helm upgrade {{ .Release.Name }} CHART --namespace {{ .Release.Namespace }} --reuse-values --set graphs.enabled=true
{{- end }}
`;
  return `{{- $operator := index .Values "dynamo-operator" -}}
The Dynamo platform {{ .Chart.AppVersion }} is installed in {{ .Release.Namespace }} as {{ .Release.Name }}.

Status:  kubectl -n {{ .Release.Namespace }} get pods -l control-plane=controller-manager
Test:    helm test {{ .Release.Name }} --namespace {{ .Release.Namespace }}
Deploy:  kubectl -n NAMESPACE apply -f graph.yaml && kubectl -n NAMESPACE get dgd
{{- if and (eq (include "dynamo.webhooks" .) "cert-manager") (not (.Capabilities.APIVersions.Has "cert-manager.io/v1")) }}

cert-manager was not found: the operator waits for the Secret {{ $operator.webhook.certificateSecret.name }}.
{{- end }}
{{- if and (not .Values.nats.enabled) (not $operator.natsAddr) }}

The release does not include NATS and dynamo-operator.natsAddr is empty: graphs get no NATS_SERVER.
{{- end }}

Before the first graph, create the Secret {{ $operator.dynamo.mpiRun.secretName }} with the keys private.key and private.key.pub.
${graphs ? later : ''}`;
}
