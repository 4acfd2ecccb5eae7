{{/* The roles that have pods of their own; one without a name does everything. */}}
{{- define "peyk.components" -}}
{{- ternary (list "api" "connection" "worker" "index") (list "") .Values.roles.divided | toJson -}}
{{- end -}}

{{/* What follows is given a dict of the root and a role, which may be empty. */}}
{{- define "peyk.name" -}}
{{- $base := printf "%s-%s" .root.Release.Name .root.Chart.Name -}}
{{- if contains .root.Chart.Name .root.Release.Name -}}
{{- $base = .root.Release.Name -}}
{{- end -}}
{{- $base | trunc 50 | trimSuffix "-" -}}
{{- with .role }}-{{ . }}{{ end -}}
{{- end -}}

{{- define "peyk.replicas" -}}
{{- if .role -}}
{{- (index .root.Values.roles .role).replicas -}}
{{- else -}}
{{- .root.Values.replicas -}}
{{- end -}}
{{- end -}}

{{- define "peyk.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .role }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "peyk.labels" -}}
{{ include "peyk.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}
