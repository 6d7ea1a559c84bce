/** `_helpers.tpl`: names, image references, and settings that depend on several values, computed as the platform's renderers do. */
export const namedTemplates = String.raw`{{/* Full name of a part: the override, or the release name if it contains the name of the part, or both joined. */}}
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

{{/* An image reference with platform.imageDigests and global.imageRegistry applied. */}}
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

{{/* Tag of an image reference, without its digest. */}}
{{- define "dynamo.tag" -}}
{{- regexReplaceAll "@.*$" . "" | regexFind ":[^/:]+$" | trimPrefix ":" | default "unknown" -}}
{{- end -}}

{{/* Port of an address, or the second argument if it has none. */}}
{{- define "dynamo.port" -}}
{{- regexFind ":[0-9]+/?$" (index . 0) | trimPrefix ":" | trimSuffix "/" | default (index . 1) -}}
{{- end -}}

{{/* Whether to create monitors: the value, or if it is null, whether the cluster has their CRDs. */}}
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

{{/* Which namespaces may reach NATS and etcd: those with labels, the managed one, or all. */}}
{{- define "dynamo.clients" -}}
{{- $policy := .Values.platform.networkPolicy -}}
{{- if $policy.clientNamespaceLabels -}}
labels
{{- else if and (index .Values "dynamo-operator").namespaceRestriction.enabled (not $policy.allowAllNamespaces) -}}
managed
{{- else -}}
all
{{- end -}}
{{- end -}}

{{/* Number of NATS servers in a cluster, or single. */}}
{{- define "dynamo.nats.servers" -}}
{{- if .Values.nats.config.cluster.enabled -}}
{{- int .Values.nats.config.cluster.replicas -}}
{{- else -}}
single
{{- end -}}
{{- end -}}

{{/* Storage class of etcd; a hyphen means an empty storageClassName. */}}
{{- define "dynamo.etcd.storageClass" -}}
{{- $class := coalesce .Values.global.storageClass .Values.etcd.persistence.storageClass .Values.global.defaultStorageClass -}}
{{- if ne $class "-" -}}
{{- $class -}}
{{- end -}}
{{- end -}}

{{/* Whether to create the KAI queues: the value, or if it is null, whether the release includes KAI or the cluster has their CRD. */}}
{{- define "dynamo.queues" -}}
{{- if kindIs "bool" .Values.platform.queues.enabled -}}
{{- .Values.platform.queues.enabled -}}
{{- else -}}
{{- or (index .Values "kai-scheduler").enabled (.Capabilities.APIVersions.Has "scheduling.run.ai/v2") -}}
{{- end -}}
{{- end -}}

{{/* Pull secrets of a pod as JSON, without duplicates: its own, then global.imagePullSecrets. */}}
{{- define "dynamo.pullSecrets" -}}
{{- $secrets := list -}}
{{- range concat (default list (index . 1)) (default list (index . 0).Values.global.imagePullSecrets) -}}
{{- $secret := . -}}
{{- if kindIs "string" . -}}
{{- $secret = dict "name" . -}}
{{- end -}}
{{- $secrets = append $secrets $secret -}}
{{- end -}}
{{- uniq $secrets | toJson -}}
{{- end -}}

{{/* A value in a line of a configuration file, which is not quoted; fails if it would end the line or a string in it. */}}
{{- define "dynamo.line" -}}
{{- if regexMatch "[\"\\\\\\x00-\\x1f\\x7f]" (toString .) -}}
{{- fail (printf "%s: must not contain quotes, backslashes or control characters" (toJson .)) -}}
{{- end -}}
{{- . -}}
{{- end -}}

{{/* Milliseconds of a duration such as 1m30s. */}}
{{- define "dynamo.milliseconds" -}}
{{- $sum := 0 -}}
{{- range regexFindAll "[0-9]+(ms|h|m|s)" (toString .) -1 -}}
{{- $number := regexFind "^[0-9]+" . | int64 -}}
{{- $unit := regexReplaceAll "^[0-9]+" . "" -}}
{{- $sum = add $sum (mul $number (get (dict "h" 3600000 "m" 60000 "s" 1000 "ms" 1) $unit)) -}}
{{- end -}}
{{- $sum -}}
{{- end -}}

{{/* A quantity such as 1.5Gi as a number. */}}
{{- define "dynamo.quantity" -}}
{{- $number := regexFind "^[+]?[0-9.]+([eE][-+]?[0-9]+)?" (toString .) -}}
{{- $powers := dict "n" -9 "u" -6 "m" -3 "k" 3 "M" 6 "G" 9 "T" 12 "P" 15 "E" 18 -}}
{{- $unit := trimPrefix $number (toString .) -}}
{{- $value := float64 (trimPrefix "+" $number) -}}
{{- if hasSuffix "i" $unit -}}
{{- range until (int (get (dict "Ki" 1 "Mi" 2 "Gi" 3 "Ti" 4 "Pi" 5 "Ei" 6) $unit)) }}{{ $value = mulf $value 1024 }}{{ end -}}
{{- else if $unit -}}
{{- $value = mulf $value (float64 (printf "1e%d" (get $powers $unit))) -}}
{{- end -}}
{{- printf "%.9f" $value -}}
{{- end -}}

{{/* Fails if a request exceeds its limit or, for extended resources and huge pages, differs from its limit or has none. */}}
{{- define "dynamo.resources" -}}
{{- $path := index . 0 -}}
{{- $resources := default dict (index . 1) -}}
{{- $limits := default dict $resources.limits -}}
{{- range $name, $request := default dict $resources.requests -}}
{{- $exact := or (contains "/" $name) (hasPrefix "hugepages-" $name) -}}
{{- if hasKey $limits $name -}}
{{- $limit := get $limits $name -}}
{{- $asked := include "dynamo.quantity" $request | float64 -}}
{{- $allowed := include "dynamo.quantity" $limit | float64 -}}
{{- if gt $asked $allowed -}}
{{- fail (printf "%s.requests.%s: must be at most its limit %v, got %v" $path $name $limit $request) -}}
{{- else if and $exact (ne $asked $allowed) -}}
{{- fail (printf "%s.requests.%s: must equal its limit %v, got %v" $path $name $limit $request) -}}
{{- end -}}
{{- else if $exact -}}
{{- fail (printf "%s.limits.%s: must be set and equal its request %v" $path $name $request) -}}
{{- end -}}
{{- end -}}
{{- end -}}
`;
