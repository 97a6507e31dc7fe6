import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import type { PullPolicy } from './objects.ts'

// The grammar of github.com/distribution/reference (regexp.go).
const component = '[a-z0-9]+(?:(?:[._]|__|[-]+)[a-z0-9]+)*'
const domainPart = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])'
const host = `(?:${domainPart}(?:\\.${domainPart})*|\\[(?:[a-fA-F0-9:]+)\\])(?::[0-9]+)?`
const tagPattern = '[\\w][\\w.-]{0,127}'
const digestPattern = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}'
const reference = new RegExp(
  `^(${host})/(${component}(?:/${component})*)(?::(${tagPattern}))?(?:@(${digestPattern}))?$`,
)
const identifier = /^[a-f0-9]{64}$/

/** An image's name, taken apart and completed as container engines do (github.com/distribution/reference ParseNormalizedNamed). */
export interface ImageReference {
  /** The registry's host, with its port: `docker.io` where the name has none. */
  readonly domain: string
  /** `library/busybox`. */
  readonly path: string
  readonly tag: string | undefined
  /** `sha256:…` */
  readonly digest: string | undefined
}

function splitDomain(image: string): { readonly domain: string; readonly remainder: string } {
  const slash = image.indexOf('/')
  const first = image.slice(0, Math.max(slash, 0))
  const isDomain =
    slash !== -1 && (/[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first)
  const domain = isDomain && first !== 'index.docker.io' ? first : 'docker.io'
  const remainder = isDomain ? image.slice(slash + 1) : image
  const isOfficial = domain === 'docker.io' && !remainder.includes('/')
  return { domain, remainder: isOfficial ? `library/${remainder}` : remainder }
}

/** Reads an image's name. The error is the sentence of that library. Pure. */
export function parseImageReference(image: string): Result<ImageReference, string> {
  if (identifier.test(image)) {
    return err(`invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`)
  }
  const { domain, remainder } = splitDomain(image)
  const [remote = ''] = remainder.split(':')
  if (remote.toLowerCase() !== remote) {
    return err(`invalid reference format: repository name (${remote}) must be lowercase`)
  }
  const match = reference.exec(`${domain}/${remainder}`)
  if (match === null) return err('invalid reference format')
  const [, host = '', path = '', tag, digest] = match
  return ok({ domain: host, path, tag, digest })
}

/** The tag that counts: `latest` where there is neither tag nor digest. */
export function tagOf({ tag, digest }: ImageReference): string | undefined {
  return tag ?? (digest === undefined ? 'latest' : undefined)
}

/** The name in full: `docker.io/library/busybox:latest`; undefined for an invalid image name. */
export function fullImageName(image: string): string | undefined {
  const parsed = parseImageReference(image)
  if (!parsed.ok) return undefined
  const { domain, path, digest } = parsed.value
  const tag = tagOf(parsed.value)
  const suffix = (tag === undefined ? '' : `:${tag}`) + (digest === undefined ? '' : `@${digest}`)
  return `${domain}/${path}${suffix}`
}

/** The name with `:latest` where it has neither tag nor digest. Error: why the name cannot be read. Source: pkg/util/parsers. */
export function withDefaultTag(image: string): Result<string, string> {
  const parsed = parseImageReference(image)
  if (!parsed.ok) return err(`couldn't parse image name "${image}": ${parsed.error}`)
  const { tag, digest } = parsed.value
  return ok(tag === undefined && digest === undefined ? `${image}:latest` : image)
}

/** The policy that the API server's defaulting gives: Always for `:latest` or no tag, else IfNotPresent. */
export function defaultPullPolicy(image: string): PullPolicy {
  const parsed = parseImageReference(image)
  return parsed.ok && tagOf(parsed.value) === 'latest' ? 'Always' : 'IfNotPresent'
}
