/** Text for the manifests of owners. */

export function documents(...all: readonly string[]): string {
  return all.map((one) => one.trim()).join('\n---\n')
}

/** Lines of text, each after so many spaces. */
function indented(text: string, spaces: number): string {
  return text
    .trim()
    .split('\n')
    .map((line) => ' '.repeat(spaces) + line)
    .join('\n')
}

export const nginx = `containers:
  - name: nginx
    image: nginx:1.28
    ports: [{ containerPort: 80 }]`

/** A template with the label `app`, and lines of its pod's spec. */
function template(app: string, spec: string): string {
  return `template:
  metadata: { labels: { app: ${app} } }
  spec:
${indented(spec, 4)}`
}

/** A Deployment, ReplicaSet, StatefulSet or DaemonSet: lines of its spec, and of its pods' spec. */
export function workload(
  kind: string,
  name: string,
  { spec = '', pod = nginx }: { readonly spec?: string; readonly pod?: string } = {},
): string {
  const lines = `selector: { matchLabels: { app: ${name} } }\n${spec.trim()}\n${template(name, pod)}`
  return `apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name} }
spec:
${indented(lines, 2)}`
}

function jobTemplate(script: string, pod = 'restartPolicy: Never'): string {
  return `template:
  spec:
${indented(pod, 4)}
    containers:
      - name: main
        image: busybox:1.36
        command: [sh, -c, '${script}']`
}

/** A Job: lines of its spec, the script of its container, and lines of its pods' spec. */
export function job(name: string, spec: string, script: string, pod?: string): string {
  return `apiVersion: batch/v1
kind: Job
metadata: { name: ${name} }
spec:
${indented(spec, 2)}
${indented(jobTemplate(script, pod), 2)}`
}

/** A CronJob: lines of its spec, the script of its container, and lines of its Jobs' spec. */
export function cronJob(name: string, spec: string, script: string, ofJob = ''): string {
  return `apiVersion: batch/v1
kind: CronJob
metadata: { name: ${name} }
spec:
${indented(spec, 2)}
  jobTemplate:
    spec:
${indented(`${ofJob}\n${jobTemplate(script)}`, 6)}`
}

export function service(name: string, spec: string): string {
  return `apiVersion: v1
kind: Service
metadata: { name: ${name} }
spec:
${indented(spec, 2)}`
}
