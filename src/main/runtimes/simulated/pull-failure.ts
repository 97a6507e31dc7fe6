import { parseDuration } from '../../../shared/go/duration.ts'
import {
  fullImageName,
  parseImageReference,
  tagOf,
} from '../../../shared/kubernetes/image-reference.ts'

/**
 * containerd's error for an image that cannot be pulled; undefined if it can. Manifests ask for a failure by the name:
 * a registry host with the label `invalid` (RFC 2606) is not found, and images with the tag `missing` or with
 * `does-not-exist` or `nonexistent` in their name do not exist; with `unauthorized` they need authorization.
 */
export function pullFailure(image: string): string | undefined {
  const parsed = parseImageReference(image)
  if (!parsed.ok) {
    return `rpc error: code = Unknown desc = failed to parse image reference "${image}": invalid reference format`
  }
  const { domain, path } = parsed.value
  const tag = tagOf(parsed.value) ?? ''
  const name = fullImageName(image) ?? ''
  const failed = `failed to pull and unpack image "${name}": failed to resolve reference "${name}"`
  if (tag === 'unauthorized' || path.includes('unauthorized')) {
    const why =
      'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed'
    return `rpc error: code = Unknown desc = ${failed}: ${why}`
  }
  const host = domain.replace(/:\d+$/, '')
  if (host.split('.').includes('invalid')) {
    const lookup = `dial tcp: lookup ${host}: no such host`
    const url = `https://${domain}/v2/${path}/manifests/${tag}`
    return `rpc error: code = Unknown desc = ${failed}: failed to do request: Head "${url}": ${lookup}`
  }
  if (tag === 'missing' || /does-?not-?exist|non-?existent/.test(`${path}:${tag}`)) {
    return `rpc error: code = NotFound desc = ${failed}: ${name}: not found`
  }
  return undefined
}

/** How long the pull of an image with the tag `slow` or `slow-2m` takes, in ms; undefined for other images. */
export function slowPullMs(image: string): number | undefined {
  const parsed = parseImageReference(image)
  const match = parsed.ok ? /^slow(?:-(\w+))?$/.exec(tagOf(parsed.value) ?? '') : null
  return match === null ? undefined : parseDuration(match[1] ?? '30s')
}
