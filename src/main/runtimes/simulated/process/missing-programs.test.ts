import { describe, expect, it } from 'vitest'
import { containerFiles } from '../files/container-root.ts'
import { missingProgram } from './missing-programs.ts'

const files = containerFiles({
  image: 'busybox',
  hostname: 'web',
  resolvConf: '',
  ip: undefined,
  mounts: new Map(),
  now: () => 0,
})
files.write('/tmp/script', '', 0o755)

describe('missingProgram', () => {
  it.each([
    ['gcr.io/distroless/static:nonroot', 'tar', 'exec: "tar": executable file not found in $PATH'],
    [
      'gcr.io/distroless/base-debian12',
      '/bin/sh',
      'exec: "/bin/sh": stat /bin/sh: no such file or directory',
    ],
    ['registry.k8s.io/pause:3.10', 'sh', 'exec: "sh": executable file not found in $PATH'],
    ['busybox:1.36', 'bash', 'exec: "bash": executable file not found in $PATH'],
    ['busybox', '/opt/none', 'exec: "/opt/none": stat /opt/none: no such file or directory'],
    ['busybox', '', 'exec: "": executable file not found in $PATH'],
  ])('says of %s that it has no %j', (image, program, why) => {
    expect(missingProgram(image, program, () => files)).toBe(why)
  })

  it.each([
    ['gcr.io/distroless/static:debug', 'sh'],
    ['busybox:1.36', 'tar'],
    ['busybox@sha256:0123', '/bin/tar'],
    ['busybox', '/tmp/script'],
    ['nginx', 'anything'],
    ['example.com/distroless-like', 'sh'],
  ])('does not say that %s has no %j', (image, program) => {
    expect(missingProgram(image, program, () => files)).toBeUndefined()
  })
})
