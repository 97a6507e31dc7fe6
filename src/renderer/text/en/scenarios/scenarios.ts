/** Opening and saving scenarios, and the state of the sandbox. */
export const scenarios = {
  stripLabel: (title: string) => `Scenario: ${title}`,
  close: 'Close scenario',
  palette: {
    open: 'Open scenario…',
    save: 'Save as scenario…',
    export: 'Export the sandbox…',
    import: 'Import a sandbox…',
    reset: 'Reset the sandbox…',
  },
  writtenTo: (path: string) => `Saved to ${path}`,
  downloaded: (name: string) => `Saved as ${name}`,
  tooLarge: (name: string, limit: string) => `${name} is larger than ${limit}.`,
  unreadable: (name: string) => `${name} cannot be read.`,
  cancel: 'Cancel',
  open: {
    title: 'Open scenario',
    rule: 'A scenario opens as a sandbox of its own. The others keep running.',
    choose: 'Scenario file',
    drop: 'Or drop the file anywhere on the page.',
    shipped: 'Shipped scenarios',
    recent: 'Recent scenarios',
    filter: 'Filter scenarios',
    filterExample: 'words of a title',
    loading: 'Loading scenarios',
    noMatches: 'No matches.',
    opening: (name: string) => `Opening ${name}`,
  },
  save: {
    title: 'Save as scenario',
    rule: (cluster: string) =>
      `Writes the present state of ${cluster} to a YAML file that anyone can open.`,
    name: 'Name',
    nameRule: 'Lower-case letters, digits and -.',
    titleField: 'Title',
    sentence: 'Description',
    contents: 'What the file has',
    has: [
      'Nodes with their labels, taints and capacity, and their manifests.',
      'Objects that a user created, also Secrets with their values.',
      'Behavior of simulated containers, faults, the random seed and the time.',
    ],
    hasNot:
      'When it is opened, pods start from the beginning: restart counts, logs and statuses are not in it. Objects that controllers create are created again.',
    confirm: 'Save',
  },
  export: {
    title: 'Export the sandbox',
    rule: 'Writes all objects, manifests, the random seed and the time of the sandbox to one YAML file.',
    secrets: 'Secrets are in it with their values.',
    confirm: 'Export',
  },
  import: {
    title: 'Import a sandbox',
    choose: 'State file',
    rule: 'Replaces the sandbox and its manifests by those of a state file. Its machines boot: containers restart.',
    aside:
      'The present state and manifests are moved aside in the data folder, and the terminal says where.',
    chosen: (name: string) => `Chosen: ${name}`,
    confirm: 'Import',
  },
  reset: {
    title: 'Reset the sandbox',
    rule: 'Ends the sandbox and starts a new one with the first pods. All objects go.',
    aside: 'The present state is moved aside in the data folder. Manifests stay.',
    confirm: 'Reset',
  },
}
