import {
  fullImageName,
  parseImageReference,
  tagOf,
} from '../../../shared/kubernetes/image-reference.ts'

/**
 * Why an image cannot be pulled, in containerd's words; undefined when it can. Names decide, so that
 * a manifest can ask for the failure: a registry host with the label `invalid` (RFC 2606) is not
 * found, the tag `missing` and names with `does-not-exist` or `nonexistent` in them are not there.
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
