import {
  fullImageName,
  parseImageReference,
  tagOf,
} from '../../../shared/kubernetes/image-reference.ts'

/**
 * containerd's error for an image that cannot be pulled; undefined if it can. Manifests ask for a failure by the name:
 * a registry host with the label `invalid` (RFC 2606) is not found, and images with the tag `missing` or with
 * `does-not-exist` or `nonexistent` in their name do not exist.
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
