import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../json.ts'
import { containerSecurityProblems, podSecurityProblems } from './security-validation.ts'

function ofPod(securityContext: JsonObject, spec: JsonObject = {}): readonly string[] {
  return podSecurityProblems({ ...spec, securityContext }).map(
    ({ field, message }) => `${field}: ${message}`,
  )
}

function ofContainer(securityContext: JsonObject, hasHostUsers = true): readonly string[] {
  return containerSecurityProblems({ securityContext }, 'c', { hasHostUsers }).map(
    ({ field, message }) => `${field}: ${message}`,
  )
}

// The rest is asked of the kubelet's own code too: test/kube/oracle/nasty-manifests.ts.
describe('a container’s securityContext', () => {
  it('cannot forbid escalation and ask for all privileges', () => {
    expect(ofContainer({ allowPrivilegeEscalation: false, privileged: true })).toEqual([
      'c.securityContext: Invalid value: {"allowPrivilegeEscalation":false,"privileged":true}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
    ])
    expect(
      ofContainer({ allowPrivilegeEscalation: false, capabilities: { add: ['CAP_SYS_ADMIN'] } }),
    ).toEqual([
      'c.securityContext: Invalid value: {"allowPrivilegeEscalation":false,"capabilities":{"add":["CAP_SYS_ADMIN"]}}: cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
    ])
    expect(ofContainer({ allowPrivilegeEscalation: true, privileged: true })).toEqual([])
  })

  it('names users and groups from 0 to the greatest of 32 bits', () => {
    expect(ofContainer({ runAsUser: 0, runAsGroup: 2_147_483_647 })).toEqual([])
    expect(ofContainer({ runAsUser: -1, runAsGroup: 2_147_483_648 })).toEqual([
      'c.securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      'c.securityContext.runAsGroup: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive',
    ])
  })

  it('shows all of /proc only in a pod with users of its own', () => {
    expect(ofContainer({ procMount: 'Unmasked' })).toEqual([
      'c.securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
    ])
    expect(ofContainer({ procMount: 'Default' })).toEqual([])
    expect(ofContainer({ procMount: 'Unmasked' }, false)).toEqual([])
  })

  it('names a seccomp profile of a file only where its type is Localhost', () => {
    expect(
      ofContainer({ seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'a' } }),
    ).toEqual([
      'c.securityContext.seccompProfile.localhostProfile: Invalid value: {"type":"RuntimeDefault","localhostProfile":"a"}: can only be set when seccomp type is Localhost',
    ])
  })

  it('has an AppArmor profile whose name is not longer than a path', () => {
    const profile = (length: number): JsonObject => ({
      appArmorProfile: { type: 'Localhost', localhostProfile: 'a'.repeat(length) },
    })
    expect(ofContainer(profile(4095))).toEqual([])
    expect(ofContainer(profile(4096))).toEqual([
      'c.securityContext.appArmorProfile.localhostProfile: Too long: may not be more than 4095 bytes',
    ])
  })
})

describe('a pod’s securityContext', () => {
  it.each([
    ['hostNetwork', 'net.ipv4.a'],
    ['hostNetwork', 'net/ipv4/a'],
    ['hostIPC', 'kernel.sem'],
    ['hostIPC', 'fs.mqueue.msg_max'],
  ])('has no sysctl of a namespace that it shares with the host: %s, %s', (shared, name) => {
    const sysctls = { sysctls: [{ name, value: '1' }] }
    expect(ofPod(sysctls)).toEqual([])
    expect(ofPod(sysctls, { [shared]: true })).toEqual([
      `spec.securityContext.sysctls[0].name: Invalid value: "${name}": may not be specified when '${shared}' is true`,
    ])
  })
})
