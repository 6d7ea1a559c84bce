/** `_helpers.tpl`: names as the platform makes them, images, and what several values decide together. */
export const namedTemplates = String.raw`{{/* Full name of a part: the override, the release when it already holds the part's name, else both joined. */}}
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

{{/* Tag of an image reference, without its digest. */}}
{{- define "dynamo.tag" -}}
{{- regexReplaceAll "@.*$" . "" | regexFind ":[^/:]+$" | trimPrefix ":" | default "unknown" -}}
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

{{/* Servers of NATS: their number in a cluster, else single. */}}
{{- define "dynamo.nats.servers" -}}
{{- if .Values.nats.config.cluster.enabled -}}
{{- int .Values.nats.config.cluster.replicas -}}
{{- else -}}
single
{{- end -}}
{{- end -}}

{{/* Storage class of etcd; a hyphen is the class without a name. */}}
{{- define "dynamo.etcd.storageClass" -}}
{{- $class := coalesce .Values.global.storageClass .Values.etcd.persistence.storageClass .Values.global.defaultStorageClass -}}
{{- if ne $class "-" -}}
{{- $class -}}
{{- end -}}
{{- end -}}

{{/* Whether the KAI queues are made: as told, else when the release brings KAI or the cluster knows them. */}}
{{- define "dynamo.queues" -}}
{{- if kindIs "bool" .Values.platform.queues.enabled -}}
{{- .Values.platform.queues.enabled -}}
{{- else -}}
{{- or (index .Values "kai-scheduler").enabled (.Capabilities.APIVersions.Has "scheduling.run.ai/v2") -}}
{{- end -}}
{{- end -}}

{{/* Pull secrets of a pod as JSON: its own, then those of every pod, each once. */}}
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

{{/* A value inside a line of a file, where nothing quotes it. */}}
{{- define "dynamo.line" -}}
{{- if regexMatch "[\"\\\\\\x00-\\x1f\\x7f]" (toString .) -}}
{{- fail (printf "%s: must not hold quotes, backslashes or control characters" (toJson .)) -}}
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

{{/* Fails where a request is above its limit, or differs from it or has none for what nobody can share. */}}
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
