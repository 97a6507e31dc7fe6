import { describe, expect, it } from 'vitest'
import { parseImageName, pullFailure } from './image-name.ts'

const digest = `sha256:${'0a'.repeat(32)}`

describe('parseImageName', () => {
  it.for([
    ['busybox', 'docker.io/library/busybox:latest'],
    ['busybox:1.36', 'docker.io/library/busybox:1.36'],
    ['bitnami/redis', 'docker.io/bitnami/redis:latest'],
    ['docker.io/nginx:1.27', 'docker.io/library/nginx:1.27'],
    ['registry.k8s.io/pause:3.10', 'registry.k8s.io/pause:3.10'],
    ['localhost/app', 'localhost/app:latest'],
    ['localhost:5000/team/app:v1', 'localhost:5000/team/app:v1'],
    ['REGISTRY.example/app', 'REGISTRY.example/app:latest'],
    [`nginx@${digest}`, `docker.io/library/nginx@${digest}`],
    [`nginx:1.27@${digest}`, `docker.io/library/nginx:1.27@${digest}`],
  ])('reads %s as %s', ([text, canonical]) => {
    expect(parseImageName(text ?? '')?.canonical).toBe(canonical)
  })

  it.for(['', 'Busybox', 'busybox:', 'a//b', 'busybox:1:2', 'bad name', '/x', 'x@sha256:12', '-'])(
    'refuses %j',
    (text) => {
      expect(parseImageName(text)).toBeUndefined()
    },
  )
})

function failureOf(image: string): string | undefined {
  const name = parseImageName(image)
  if (name === undefined) throw new Error(`no image name: ${image}`)
  return pullFailure(name)
}

describe('pullFailure', () => {
  it('says that the tag is not there, in the words of containerd', () => {
    expect(failureOf('nginx:missing')).toBe(
      'rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:missing": ' +
        'failed to resolve reference "docker.io/library/nginx:missing": docker.io/library/nginx:missing: not found',
    )
  })

  it('says that the registry has no address, in the words of containerd', () => {
    expect(failureOf('registry.invalid:5000/team/app:v1')).toBe(
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
    expect(failureOf(image)).toMatch(/^rpc error: /)
  })

  it.for([
    'nginx',
    'missing',
    'invalid/app',
    'busybox:1.36',
    'invalidate.example/app',
    'x/missing:v1',
  ])('pulls %s', (image) => {
    expect(failureOf(image)).toBeUndefined()
  })
})
