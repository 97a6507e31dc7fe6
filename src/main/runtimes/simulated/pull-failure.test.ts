import { describe, expect, it } from 'vitest'
import { pullFailure, slowPullMs } from './pull-failure.ts'

describe('slowPullMs', () => {
  it.each([
    ['nginx:slow', 30_000],
    ['nginx:slow-2m', 120_000],
    ['nginx:slow-soon', undefined],
    ['nginx:1.27', undefined],
    ['slow', undefined],
  ])('of %s is %s', (image, ms) => {
    expect(slowPullMs(image)).toBe(ms)
  })
})

describe('pullFailure', () => {
  it('says that access is denied, in the words of containerd', () => {
    expect(pullFailure('team/unauthorized:v1')).toBe(
      'rpc error: code = Unknown desc = failed to pull and unpack image "docker.io/team/unauthorized:v1": ' +
        'failed to resolve reference "docker.io/team/unauthorized:v1": pull access denied, repository does not exist ' +
        'or may require authorization: server message: insufficient_scope: authorization failed',
    )
  })

  it('says that the tag is not there, in the words of containerd', () => {
    expect(pullFailure('nginx:missing')).toBe(
      'rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:missing": ' +
        'failed to resolve reference "docker.io/library/nginx:missing": docker.io/library/nginx:missing: not found',
    )
  })

  it('says that the registry has no address, in the words of containerd', () => {
    expect(pullFailure('registry.invalid:5000/team/app:v1')).toBe(
      'rpc error: code = Unknown desc = failed to pull and unpack image "registry.invalid:5000/team/app:v1": ' +
        'failed to resolve reference "registry.invalid:5000/team/app:v1": failed to do request: ' +
        'Head "https://registry.invalid:5000/v2/team/app/manifests/v1": dial tcp: lookup registry.invalid: no such host',
    )
  })

  it.for([
    'does-not-exist',
    'team/doesnotexist:v1',
    'nginx:does-not-exist',
    'nonexistent/app',
    'non-existent-image',
    'invalid.example/app',
  ])('fails %s', (image) => {
    expect(pullFailure(image)).toMatch(/^rpc error: /)
  })

  it.for([
    'nginx',
    'missing',
    'invalid/app',
    'busybox:1.36',
    'invalidate.example/app',
    'x/missing:v1',
  ])('pulls %s', (image) => {
    expect(pullFailure(image)).toBeUndefined()
  })
})
