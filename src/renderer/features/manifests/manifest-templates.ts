/** An example to begin with: small, and about one thing. */
export interface ManifestTemplate {
  readonly id: string
  readonly title: string
  /** What it shows, one sentence. */
  readonly teaches: string
  /** Name of pod and file, where it is free. */
  readonly name: string
  readonly body: string
}

export const manifestTemplates: readonly ManifestTemplate[] = [
  {
    id: 'web',
    title: 'Web server',
    teaches: 'A pod that runs and exits on SIGTERM.',
    name: 'site',
    body: `# Change the image and save: the UID is a hash of this text, so the old pod stops and another starts.
spec:
  containers:
    - name: nginx
      image: nginx:1.27
      ports:
        - containerPort: 80
`,
  },
  {
    id: 'stubborn',
    title: 'Ignores SIGTERM',
    teaches: 'Uses the whole grace period, then SIGKILL: exit code 137.',
    name: 'stubborn',
    body: `# Remove the file and watch the grace period of 15 s count down.
spec:
  terminationGracePeriodSeconds: 15
  containers:
    - name: stubborn
      image: busybox:1.36
      command:
        - sh
        - -c
        - trap '' TERM; while true; do sleep 1; done
`,
  },
  {
    id: 'crash',
    title: 'Crash loop',
    teaches: 'CrashLoopBackOff: 10 s, 20 s, 40 s, up to 5 minutes between the starts.',
    name: 'crash',
    body: `# Runs for three seconds, then fails. The back-off before each restart is longer than the last.
spec:
  containers:
    - name: crash
      image: busybox:1.36
      command:
        - sh
        - -c
        - sleep 3; exit 1
`,
  },
  {
    id: 'init',
    title: 'Init container',
    teaches: 'The main container starts only after the init container exits 0.',
    name: 'prepared',
    body: `# Pending, Init:0/1 for five seconds; then Running.
spec:
  initContainers:
    - name: prepare
      image: busybox:1.36
      command:
        - sh
        - -c
        - sleep 5
  containers:
    - name: main
      image: busybox:1.36
      command:
        - sh
        - -c
        - trap 'exit 0' TERM; while true; do sleep 1; done
`,
  },
  {
    id: 'pair',
    title: 'Two containers',
    teaches: 'One of two fails periodically: the pod is 1/2 ready, and the other keeps running.',
    name: 'duo',
    body: `# The kubelet restarts only the container that ended.
spec:
  containers:
    - name: steady
      image: busybox:1.36
      command:
        - sh
        - -c
        - trap 'exit 0' TERM; while true; do sleep 1; done
    - name: shaky
      image: busybox:1.36
      command:
        - sh
        - -c
        - sleep 20; exit 2
`,
  },
]

/** The manifest of a template as a pod of this name. Pure. */
export function manifestFrom({ body }: ManifestTemplate, podName: string): string {
  const [comment = '', ...rest] = body.split('\n')
  return `${comment}
apiVersion: v1
kind: Pod
metadata:
  name: ${podName}
  labels:
    app: ${podName}
${rest.join('\n')}`
}

/** `web.yaml`, or `web-2.yaml` where that is taken. Pure. */
export function freeName(wanted: string, taken: readonly string[]): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`
    if (!taken.includes(`${name}.yaml`)) return `${name}.yaml`
  }
}

/** A pod's name from that of its file: what a DNS label may hold. Pure. */
export function podNameOf(fileName: string): string {
  const base = fileName.replace(/\.[^.]*$/, '').toLowerCase()
  const label = base
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '')
  return label === '' ? 'pod' : label
}

const longestName = 255

/** Why a new file cannot have this name; empty when it can. Pure. */
export function fileNameProblem(name: string, taken: readonly string[]): string {
  if (name === '') return 'A file needs a name.'
  if (name.startsWith('.')) return 'The kubelet ignores files whose name begins with a dot.'
  // oxlint-disable-next-line no-control-regex
  if (/[/\\\u0000-\u001f]/.test(name)) return 'A name cannot contain slashes or control characters.'
  if (name.length > longestName) return `A name has at most ${longestName} characters.`
  return taken.includes(name) ? `${name} exists already.` : ''
}
