import { text } from '../../text/text.ts'

/** A small example about one thing. Its title and what it shows are in the catalog. */
export interface ManifestTemplate {
  readonly id: keyof typeof text.manifests.templates
  /** Name of pod and file, unless it is taken. */
  readonly name: string
  readonly body: string
}

export const manifestTemplates: readonly ManifestTemplate[] = [
  {
    id: 'web',
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

/** The template's manifest for a pod of this name. Pure. */
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

/** `web.yaml`, or `web-2.yaml` if that is taken. Pure. */
export function freeName(wanted: string, taken: readonly string[]): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`
    if (!taken.includes(`${name}.yaml`)) return `${name}.yaml`
  }
}

/** A pod's name from its file's name, as a DNS label. Pure. */
export function podNameOf(fileName: string): string {
  const base = fileName.replace(/\.[^.]*$/, '').toLowerCase()
  const label = base
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '')
  return label === '' ? 'pod' : label
}

const longestName = 255

/** Why a new file cannot have this name; empty if it can. Pure. */
export function fileNameProblem(name: string, taken: readonly string[]): string {
  const words = text.manifests.addDialog
  if (name === '') return words.noName
  if (name.startsWith('.')) return words.dot
  // oxlint-disable-next-line no-control-regex
  if (/[/\\\u0000-\u001f]/.test(name)) return words.characters
  if (name.length > longestName) return words.tooLong(longestName)
  return taken.includes(name) ? words.taken(name) : ''
}
