import { describe, expect, it } from 'vitest'
import { defaultPullPolicy, fullImageName, withDefaultTag } from './image-reference.ts'

const digest = `sha256:${'a'.repeat(64)}`

describe('withDefaultTag', () => {
  it.each([
    ['busybox', 'busybox:latest'],
    ['busybox:1.36', 'busybox:1.36'],
    ['library/busybox', 'library/busybox:latest'],
    ['registry.k8s.io/pause:3.9', 'registry.k8s.io/pause:3.9'],
    ['localhost:5000/app', 'localhost:5000/app:latest'],
    ['localhost/app', 'localhost/app:latest'],
    ['[::1]:5000/app:v1', '[::1]:5000/app:v1'],
    [`busybox@${digest}`, `busybox@${digest}`],
    [`busybox:1@${digest}`, `busybox:1@${digest}`],
    ['index.docker.io/busybox', 'index.docker.io/busybox:latest'],
    ['a__b/c-d.e', 'a__b/c-d.e:latest'],
  ])('makes %s to %s', (image, full) => {
    expect(withDefaultTag(image)).toEqual({ ok: true, value: full })
  })

  it.each([
    ['', 'invalid reference format'],
    ['busybox:', 'invalid reference format'],
    ['busy box', 'invalid reference format'],
    ['a//b', 'invalid reference format'],
    ['Busybox', 'invalid reference format: repository name (library/Busybox) must be lowercase'],
    ['x.y/Foo:v1', 'invalid reference format: repository name (Foo) must be lowercase'],
    [
      'b'.repeat(64),
      `invalid repository name (${'b'.repeat(64)}), cannot specify 64-byte hexadecimal strings`,
    ],
    ['busybox@sha256:12', 'invalid reference format'],
  ])('refuses %j', (image, why) => {
    expect(withDefaultTag(image)).toEqual({
      ok: false,
      error: `couldn't parse image name "${image}": ${why}`,
    })
  })
})

describe('defaultPullPolicy', () => {
  it.each([
    ['busybox', 'Always'],
    ['busybox:latest', 'Always'],
    ['busybox:1.36', 'IfNotPresent'],
    [`busybox@${digest}`, 'IfNotPresent'],
    [`busybox:latest@${digest}`, 'Always'],
    ['Not An Image', 'IfNotPresent'],
    ['r:5000/nginx', 'Always'],
    ['r:5000/nginx:1', 'IfNotPresent'],
    ['Nginx', 'IfNotPresent'],
    ['nginx:', 'IfNotPresent'],
    ['', 'IfNotPresent'],
  ])('of %s is %s', (image, policy) => {
    expect(defaultPullPolicy(image)).toBe(policy)
  })
})

describe('fullImageName', () => {
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
    expect(fullImageName(text ?? '')).toBe(canonical)
  })

  it.for(['', 'Busybox', 'busybox:', 'a//b', 'busybox:1:2', 'bad name', '/x', 'x@sha256:12', '-'])(
    'refuses %j',
    (text) => {
      expect(fullImageName(text)).toBeUndefined()
    },
  )
})
