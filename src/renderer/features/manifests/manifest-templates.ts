import site from './templates/site.yaml?raw'
import stubborn from './templates/stubborn.yaml?raw'
import crash from './templates/crash.yaml?raw'
import prepared from './templates/prepared.yaml?raw'
import duo from './templates/duo.yaml?raw'
import { text } from '../../text/text.ts'

/** A small example about one thing. Its title and what it shows are in the catalog. */
export interface ManifestTemplate {
  readonly id: keyof typeof text.manifests.templates
  /** Name of pod and file, unless it is taken. */
  readonly name: string
  readonly yaml: string
}

export const manifestTemplates: readonly ManifestTemplate[] = [
  { id: 'web', name: 'site', yaml: site },
  { id: 'stubborn', name: 'stubborn', yaml: stubborn },
  { id: 'crash', name: 'crash', yaml: crash },
  { id: 'init', name: 'prepared', yaml: prepared },
  { id: 'pair', name: 'duo', yaml: duo },
]

/** The template's manifest for a pod of this name. Pure. */
export function manifestFrom({ name, yaml }: ManifestTemplate, podName: string): string {
  return yaml
    .replace(`  name: ${name}\n`, `  name: ${podName}\n`)
    .replace(`app: ${name}\n`, `app: ${podName}\n`)
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
