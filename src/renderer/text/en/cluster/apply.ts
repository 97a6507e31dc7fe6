import type { ApplyOutcome } from '../../../../shared/model/apply/apply-yaml.ts'
import { counted } from '../plural.ts'

/** What the page says of applying YAML. */
export const apply = {
  title: 'Apply YAML',
  open: 'Apply YAML…',
  request: 'check of the YAML',
  editor: 'YAML to apply',
  result: 'What it does',
  how: 'One or several documents, as kubectl apply --server-side. Ctrl+Space completes kinds, fields and values.',
  empty: 'Paste or type YAML here.',
  example: 'Insert an example',
  found: (count: number) => `${counted(count, 'object')} in the text`,
  line: (line: number) => `line ${line}`,
  rehearseFirst: 'A dry run asks the API server what would change and stores nothing.',
  old: 'The text has changed since this dry run.',
  rehearsed: 'Dry run: nothing is stored yet.',
  stored: 'Applied. What was refused is not stored.',
  outcomes: {
    created: 'created',
    configured: 'configured',
    unchanged: 'unchanged',
    failed: 'refused',
  } satisfies Readonly<Record<ApplyOutcome, string>>,
  diff: (name: string) => `Changes of ${name}`,
  force: 'Take over fields of other managers (--force-conflicts)',
  keys: { open: 'Shift+Y', dryRun: 'Ctrl+S' },
  dryRun: 'Dry run',
  apply: 'Apply',
  applyOn: (cluster: string) => `Apply on ${cluster}`,
  needsText: 'There is no object in the text.',
  needsMending: 'Correct the problems below the text first.',
  needsDryRun: 'Do a dry run of this text first (Ctrl+S).',
}
