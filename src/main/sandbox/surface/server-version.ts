const systemNames: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows' }
const architectureNames: Partial<Record<NodeJS.Architecture, string>> = {
  x64: 'amd64',
  ia32: '386',
}

/** The version of Kubernetes whose behavior the sandbox follows. The suffix marks it as not the real one. */
export const kubernetesVersion = 'v1.34.0+nodescope'

/** The body of /version, with Go's names of this machine's system and architecture. */
export function serverVersion(): object {
  const system = systemNames[process.platform] ?? process.platform
  const architecture = architectureNames[process.arch] ?? process.arch
  return {
    major: '1',
    minor: '34',
    gitVersion: kubernetesVersion,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '',
    goVersion: '',
    compiler: '',
    platform: `${system}/${architecture}`,
  }
}
