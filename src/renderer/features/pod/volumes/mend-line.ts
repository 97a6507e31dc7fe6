import type { MissingObject } from './missing-objects.ts'

/** A word of a shell's line; what the API server allows as a name or key needs no quotes. */
function word(text: string): string {
  return /^[\w.,:=/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function patchLine({ kind, name, keys }: MissingObject, namespace: string): string {
  const field = kind === 'Secret' ? 'stringData' : 'data'
  const values = Object.fromEntries(keys.map(({ key }) => [key, 'VALUE']))
  const patch = JSON.stringify({ [field]: values })
  return `kubectl patch ${kind.toLowerCase()} ${word(name)} -n ${word(namespace)} --type=merge -p ${word(patch)}`
}

/**
 * The line of kubectl that makes what is missing. A file of a volume is read from a file of the key's name, the value of a variable
 * stands in the line as VALUE; where the pod names no keys, FILE stands for any file. Pure.
 */
export function mendLine(missing: MissingObject, namespace: string): string {
  if (!missing.isWhole) return patchLine(missing, namespace)
  const kind = missing.kind === 'Secret' ? 'secret generic' : 'configmap'
  const from = missing.keys.map(({ key, isFile }) =>
    isFile ? `--from-file=${word(key)}` : `--from-literal=${word(key)}=VALUE`,
  )
  const flags = from.length === 0 ? ['--from-file=FILE'] : from
  return `kubectl create ${kind} ${word(missing.name)} -n ${word(namespace)} ${flags.join(' ')}`
}
