/** Named templates of the chart: names as the platform makes them, images, and what two values decide together. */
export const templateFunctions = `{{/* Full name of a part: the override, the release when it already holds the part's name, else both joined. */}}
{{- define "dynamo.fullname" -}}
{{- $release := index . 0 -}}
{{- $name := index . 1 -}}
{{- $override := index . 2 -}}
{{- if $override -}}
{{- $override | trunc 63 | trimSuffix "-" -}}
{{- else if contains $name $release -}}
{{- $release | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" $release $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "dynamo.dynamo-operator.fullname" -}}
{{- include "dynamo.fullname" (list .Release.Name "dynamo-operator" (index .Values "dynamo-operator").fullnameOverride) -}}
{{- end -}}

{{- define "dynamo.nats.fullname" -}}
{{- include "dynamo.fullname" (list .Release.Name "nats" .Values.nats.fullnameOverride) -}}
{{- end -}}

{{- define "dynamo.etcd.fullname" -}}
{{- $release := regexReplaceAll "-?[^a-z0-9-]+-?" (lower .Release.Name) "-" -}}
{{- include "dynamo.fullname" (list $release "etcd" .Values.etcd.fullnameOverride) -}}
{{- end -}}

{{/* An image reference with its digest pinned and its registry replaced, where the values ask for it. */}}
{{- define "dynamo.image" -}}
{{- $values := (index . 0).Values -}}
{{- $reference := index . 1 -}}
{{- $digest := get (default dict $values.platform.imageDigests) $reference -}}
{{- if and $digest (not (contains "@" $reference)) -}}
{{- $reference = printf "%s@%s" $reference $digest -}}
{{- end -}}
{{- with $values.global.imageRegistry -}}
{{- $first := first (splitList "/" $reference) -}}
{{- $named := and (contains "/" $reference) (or (contains "." $first) (contains ":" $first) (eq $first "localhost")) -}}
{{- $rest := ternary (trimPrefix (printf "%s/" $first) $reference) $reference $named -}}
{{- if and (not (contains "/" $rest)) (or (not $named) (eq $first "docker.io")) -}}
{{- $rest = printf "library/%s" $rest -}}
{{- end -}}
{{- $reference = printf "%s/%s" (regexReplaceAll "/+$" . "") $rest -}}
{{- end -}}
{{- $reference -}}
{{- end -}}

{{/* Port of an address, or the second argument where it names none. */}}
{{- define "dynamo.port" -}}
{{- regexFind ":[0-9]+/?$" (index . 0) | trimPrefix ":" | trimSuffix "/" | default (index . 1) -}}
{{- end -}}

{{/* Whether monitors are made: as told, else when the cluster knows them. */}}
{{- define "dynamo.monitoring" -}}
{{- if kindIs "bool" .Values.platform.monitoring.enabled -}}
{{- .Values.platform.monitoring.enabled -}}
{{- else -}}
{{- .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" -}}
{{- end -}}
{{- end -}}

{{/* Where the webhook certificate comes from, or off. */}}
{{- define "dynamo.webhooks" -}}
{{- if (index .Values "dynamo-operator").webhook.enabled -}}
{{- .Values.platform.certificates.mode -}}
{{- else -}}
off
{{- end -}}
{{- end -}}
`;

/** What helm prints after an install. */
export const notes = `The Dynamo platform {{ .Chart.AppVersion }} is installed in {{ .Release.Namespace }} as {{ .Release.Name }}.

Look:    kubectl -n {{ .Release.Namespace }} get pods -l control-plane=controller-manager
Deploy:  kubectl -n NAMESPACE apply -f graph.yaml && kubectl -n NAMESPACE get dgd
{{- if and (eq (include "dynamo.webhooks" .) "cert-manager") (not (.Capabilities.APIVersions.Has "cert-manager.io/v1")) }}

cert-manager was not found: the operator waits for the Secret {{ (index .Values "dynamo-operator").webhook.certificateSecret.name }}.
{{- end }}

Before the first graph, make the Secret {{ (index .Values "dynamo-operator").dynamo.mpiRun.secretName }} with the keys private.key and private.key.pub.
`;
