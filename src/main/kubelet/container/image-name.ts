import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { PullPolicy } from '../../../shared/kubernetes/objects.ts'

// The grammar of github.com/distribution/reference (regexp.go).
const component = '[a-z0-9]+(?:(?:[._]|__|[-]+)[a-z0-9]+)*'
const domainPart = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])'
const host = `(?:${domainPart}(?:\\.${domainPart})*|\\[(?:[a-fA-F0-9:]+)\\])(?::[0-9]+)?`
const tagPattern = '[\\w][\\w.-]{0,127}'
const digestPattern = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}'
const reference = new RegExp(
  `^(?:${host}/)?${component}(?:/${component})*(?::(${tagPattern}))?(?:@(${digestPattern}))?$`,
)
const identifier = /^[a-f0-9]{64}$/

interface ImageName {
  readonly tag: string | undefined
  readonly digest: string | undefined
}

/** Reads an image name. The error is the sentence of the container engines' library. */
function parseImageName(image: string): Result<ImageName, string> {
  if (identifier.test(image)) {
    return err(`invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`)
  }
  const { domain, remainder } = splitDomain(image)
  const [remote = ''] = remainder.split(':')
  if (remote.toLowerCase() !== remote) {
    return err(`invalid reference format: repository name (${remote}) must be lowercase`)
  }
  const match = reference.exec(`${domain}/${remainder}`)
  return match === null ? err('invalid reference format') : ok({ tag: match[1], digest: match[2] })
}

function splitDomain(image: string): { readonly domain: string; readonly remainder: string } {
  const slash = image.indexOf('/')
  const first = image.slice(0, Math.max(slash, 0))
  const isDomain =
    slash !== -1 && (/[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first)
  if (isDomain && first !== 'index.docker.io') {
    return { domain: first, remainder: image.slice(slash + 1) }
  }
  const name = isDomain ? image.slice(slash + 1) : image
  return { domain: 'docker.io', remainder: name.includes('/') ? name : `library/${name}` }
}

/** The name with `:latest` where it has neither tag nor digest. Error: why the name cannot be read. */
export function withDefaultTag(image: string): Result<string, string> {
  const parsed = parseImageName(image)
  if (!parsed.ok) return err(`couldn't parse image name "${image}": ${parsed.error}`)
  const { tag, digest } = parsed.value
  return ok(tag === undefined && digest === undefined ? `${image}:latest` : image)
}

/** The policy that the API server's defaulting gives: Always for `:latest` or no tag, else IfNotPresent. */
export function defaultPullPolicy(image: string): PullPolicy {
  const parsed = parseImageName(image)
  if (!parsed.ok) return 'IfNotPresent'
  const { tag, digest } = parsed.value
  const isLatest = tag === 'latest' || (tag === undefined && digest === undefined)
  return isLatest ? 'Always' : 'IfNotPresent'
}
