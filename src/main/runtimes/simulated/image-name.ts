/** An image reference, taken apart as Docker and containerd do (distribution/reference). */
export interface ImageName {
  /** Registry host, with its port. */
  readonly host: string
  readonly repository: string
  /** Empty when there is only a digest. */
  readonly tag: string
  /** Host, repository and tag or digest in full: `docker.io/library/busybox:latest`. */
  readonly canonical: string
}

const reference =
  /^(?<path>(?:[A-Za-z0-9.-]+(?::\d+)?\/)?[a-z0-9._/-]+)(?::(?<tag>\w[\w.-]{0,127}))?(?:@(?<digest>sha256:[0-9a-f]{64}))?$/

/** Between two slashes of a repository. */
const component = /^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*$/

/** Undefined for a text that is no reference. */
export function parseImageName(text: string): ImageName | undefined {
  const { path, tag: givenTag, digest } = reference.exec(text)?.groups ?? {}
  if (path === undefined) return undefined
  const [first = '', ...rest] = path.split('/')
  const hasHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  const host = hasHost ? first : 'docker.io'
  const given = hasHost ? rest.join('/') : path
  const repository = host === 'docker.io' && !given.includes('/') ? `library/${given}` : given
  if (!repository.split('/').every((part) => component.test(part))) return undefined
  const tag = givenTag ?? (digest === undefined ? 'latest' : '')
  const suffix = (tag === '' ? '' : `:${tag}`) + (digest === undefined ? '' : `@${digest}`)
  return { host, repository, tag, canonical: `${host}/${repository}${suffix}` }
}

/**
 * Why an image cannot be pulled, in containerd's words; undefined when it can. Names decide, so that
 * a manifest can ask for the failure: a registry host with the label `invalid` (RFC 2606) is not
 * found, the tag `missing` and names with `does-not-exist` or `nonexistent` in them are not there.
 */
export function pullFailure({ host, repository, tag, canonical }: ImageName): string | undefined {
  const failed = `failed to pull and unpack image "${canonical}": failed to resolve reference "${canonical}"`
  if (host.replace(/:\d+$/, '').split('.').includes('invalid')) {
    const lookup = `dial tcp: lookup ${host.replace(/:\d+$/, '')}: no such host`
    const url = `https://${host}/v2/${repository}/manifests/${tag}`
    return `rpc error: code = Unknown desc = ${failed}: failed to do request: Head "${url}": ${lookup}`
  }
  if (tag === 'missing' || /does-?not-?exist|non-?existent/.test(`${repository}:${tag}`)) {
    return `rpc error: code = NotFound desc = ${failed}: ${canonical}: not found`
  }
  return undefined
}
