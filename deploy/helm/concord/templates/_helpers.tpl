{{- define "concord.fullname" -}}
{{- if contains "concord" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-concord" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- /* What a selector may hold: it can never be changed. Takes a list of the root and the component. */}}
{{- define "concord.selector" -}}
app.kubernetes.io/name: concord
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "concord.labels" -}}
{{ include "concord.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "concord-%s" (index . 0).Chart.Version }}
{{- end }}

{{- define "concord.image" -}}
{{- $repository := required "image.repository is required: where you have pushed the image" .Values.image.repository }}
{{- if .Values.image.digest }}{{ $repository }}@{{ .Values.image.digest }}{{ else }}{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- /* Of every pod. Takes the root. */}}
{{- define "concord.podSecurity" -}}
automountServiceAccountToken: false
# Addresses of other services would come as variables that look like misspelt settings.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir:
      medium: Memory
      sizeLimit: 64Mi
{{- end }}

{{- /* Of every container. Takes the root. */}}
{{- define "concord.container" -}}
image: {{ include "concord.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: tmp
    mountPath: /tmp
{{- end }}

{{- /* Variables from the Secret. Takes a list of the name of the Secret, required names and optional names. */}}
{{- define "concord.secrets" -}}
{{- $secret := index . 0 }}
{{- range index . 1 }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ . }}
{{- end }}
{{- range index . 2 }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ . }}
      optional: true
{{- end }}
{{- end }}

{{- define "concord.secretName" -}}
{{- required "secretName is required: the name of a Secret that you make, see docs/how-to/deploy.md" .Values.secretName }}
{{- end }}

{{- /* Settings of every process. Takes the root. */}}
{{- define "concord.settings" -}}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- if .Values.metrics.enabled }}
- name: METRICS_HOST
  value: {{ .Values.metrics.host | quote }}
- name: METRICS_PORT
  value: {{ .Values.metrics.port | quote }}
{{- end }}
{{- end }}

{{- /* Where pods go. Takes a list of the root, the component and its values. */}}
{{- define "concord.placing" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "concord.selector" (list (index . 0) (index . 1)) | nindent 8 }}
{{- with (index . 2).nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with (index . 2).tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
