import { paletteKey } from '../../words/keys.ts'

export interface KeyGroup {
  readonly title: string
  readonly keys: readonly { readonly keys: readonly string[]; readonly does: string }[]
}

/** The keys as they are, by where they work. */
export const keyGroups: readonly KeyGroup[] = [
  {
    title: 'Everywhere',
    keys: [
      { keys: [paletteKey], does: 'search or run' },
      {
        keys: ['1', '2', '3', '4', '8', '9'],
        does: 'Flow, Pods, Mirror pods, Manifests, Gotchas, Handbook',
      },
      { keys: ['H'], does: 'open or close the handbook beside the view' },
      { keys: ['N'], does: 'choose the node' },
      { keys: ['P'], does: 'pause or run the clock' },
      { keys: ['.'], does: 'step to the next event' },
      { keys: ['-', '+'], does: 'slower, faster' },
      { keys: ['Esc'], does: 'close, one layer at a time' },
      { keys: ['?'], does: 'these keys' },
    ],
  },
  {
    title: 'Flow',
    keys: [
      { keys: ['Enter'], does: 'open a part' },
      { keys: ['.', ','], does: 'replay the followed cause, and back' },
    ],
  },
  {
    title: 'Pods and Mirror pods',
    keys: [
      { keys: ['J', 'K', '↓', '↑'], does: 'move through the lines' },
      { keys: ['Home', 'End'], does: 'first and last line' },
      { keys: ['PageUp', 'PageDown'], does: 'a screen up and down' },
      { keys: ['Enter'], does: 'open the pod’s panel' },
      { keys: ['G', 'M'], does: 'to its mirror, and back' },
      { keys: ['/'], does: 'filter the pods; !word hides' },
      { keys: ['X'], does: 'Kill…' },
      { keys: ['E'], does: 'Evict through the API…' },
      { keys: ['Shift E'], does: 'Evict by the kubelet…' },
      { keys: ['D'], does: 'Delete…, of a static pod its mirror' },
      { keys: ['Shift D'], does: 'Delete by force…' },
    ],
  },
  {
    title: 'The panel of a pod',
    keys: [
      { keys: ['←', '→'], does: 'from tab to tab' },
      { keys: ['W'], does: 'Why is it still here?' },
      { keys: ['Y'], does: 'YAML of its objects' },
      { keys: ['[', ']'], does: 'History: cause, effect' },
    ],
  },
  {
    title: 'Handbook',
    keys: [
      { keys: ['[', ']'], does: 'previous and next section' },
      { keys: ['/'], does: 'search the handbook' },
      { keys: ['↓', '↑'], does: 'move through the results' },
      { keys: ['Enter'], does: 'open the result' },
      { keys: ['Shift Enter'], does: 'open it beside the pods' },
    ],
  },
  {
    title: 'Manifests',
    keys: [
      { keys: ['Ctrl S'], does: 'save' },
      { keys: ['Ctrl M'], does: 'switch whether Tab indents or moves focus' },
    ],
  },
]
