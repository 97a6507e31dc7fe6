const systemNames: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows' }
const architectureNames: Partial<Record<NodeJS.Architecture, string>> = {
  x64: 'amd64',
  ia32: '386',
}

/** Kubernetes' version whose behaviour the sandbox follows; what follows the `+` says that it is not the real one. */
export const kubernetesVersion = 'v1.34.0+nodescope'

/** The body of /version, with the machine's system and architecture in Go's words. */
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
