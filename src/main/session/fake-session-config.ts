import { join } from 'node:path'
import type { SessionConfig } from './session-config.ts'

/** The config of a test's session; the test overrides single fields. */
export function fakeSessionConfig(
  config: Pick<SessionConfig, 'cluster' | 'manifestsPath' | 'dataFolder'> & Partial<SessionConfig>,
): SessionConfig {
  return {
    version: '0.0.0',
    nodeName: 'scope-node-1',
    nodes: 1,
    maxPods: 110,
    manifestUrl: null,
    recordPath: null,
    recordingsPath: join(config.dataFolder, 'recordings'),
    seed: null,
    readOnly: false,
    openPod: '',
    ...config,
  }
}
