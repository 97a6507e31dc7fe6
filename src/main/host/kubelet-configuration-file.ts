import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import { fileErrorText } from '../files/file-error.ts'
import { defaultKubeletConfiguration } from '../kubelet/server/default-configuration.ts'
import { defaultKubeletSettings } from '../kubelet/kubelet-settings.ts'
import { defaultMaxPods } from '../nodes/node-description.ts'
import { withAbsolutePaths } from './completed-configuration.ts'
import { readKubeletConfiguration } from './kubelet-configuration.ts'
import type { ConfigurationError, ReadConfiguration } from './kubelet-configuration.ts'
import { headersOf, valueProblem } from './option-values.ts'

/** Without a file. */
export const defaultConfiguration: ReadConfiguration = {
  configuration: {
    staticPodPath: '',
    staticPodURL: '',
    staticPodURLHeader: [],
    httpCheckFrequencyMs: 20_000,
    maxPods: defaultMaxPods,
    registerWithTaints: [],
    settings: defaultKubeletSettings,
    completed: defaultKubeletConfiguration,
  },
  notes: [],
}

/** A configuration has some hundred lines. */
const maxBytes = 1024 * 1024

function textOf(path: string): Result<string, string> {
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) return err('it is a folder')
    if (!stats.isFile()) return err('it is not a regular file')
    if (stats.size > maxBytes) return err('it is larger than 1 MiB')
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)))
  } catch (error) {
    return err(error instanceof TypeError ? 'it is not UTF-8 text' : fileErrorText(error))
  }
}

/**
 * Reads the file of --config; paths in it are relative to its folder, like in a kubelet. `isServed`: the kubelet's own server of a
 * joined cluster follows it. Error: one sentence.
 */
export function loadKubeletConfiguration(
  path: string,
  isServed = false,
): Result<ReadConfiguration, string> {
  const text = textOf(path)
  if (!text.ok) return err(`The kubelet configuration ${path} cannot be read: ${text.error}.`)
  const read = readKubeletConfiguration(text.value, isServed)
  if (!read.ok) return err(sentenceOf(path, read.error))
  const { configuration, notes } = read.value
  const problem = urlProblem(read.value)
  if (problem !== undefined)
    return err(`The kubelet configuration ${path} is not used: ${problem}.`)
  const { staticPodPath } = configuration
  const folder = dirname(path)
  const manifests = staticPodPath === '' ? '' : resolve(folder, staticPodPath)
  const completed = withAbsolutePaths(configuration.completed, resolve(folder))
  return ok({ configuration: { ...configuration, staticPodPath: manifests, completed }, notes })
}

function sentenceOf(path: string, { kind, errors }: ConfigurationError): string {
  const listed = errors.join('; ').replace(/\.$/, '')
  switch (kind) {
    case 'malformed':
      return `The kubelet configuration ${path} cannot be parsed: ${listed}.`
    case 'wrong-kind':
      return `The kubelet configuration ${path} is another object. ${listed}.`
    case 'undecodable':
      return `The kubelet configuration ${path} cannot be decoded: ${listed}.`
    case 'invalid':
      return `The kubelet configuration ${path} is invalid: ${listed}.`
    case 'unsupported':
      return `The kubelet configuration ${path} is not used: ${listed}.`
  }
}

/** A kubelet would find these only when it asks the URL. */
function urlProblem({ configuration }: ReadConfiguration): string | undefined {
  const { staticPodURL: url, staticPodURLHeader: headers } = configuration
  const problem = url === '' ? undefined : valueProblem('url', url)
  if (problem !== undefined) return `staticPodURL ${problem}`
  const malformed = headers.find(
    ({ name, value }) => headersOf(`${name}:${value.replaceAll(',', '')}`)?.length !== 1,
  )
  return malformed === undefined
    ? undefined
    : 'staticPodURLHeader has a name or value that HTTP does not permit'
}
