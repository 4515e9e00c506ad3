/**
 * What git is told about the documents of runs: they are Forge's, and no noise in a person's status. Named as
 * `documents.ts` names them. The file ignores itself, so that it appears nowhere either; settings, roles, workflows and
 * memory below `.forge` are the person's, and are not named here.
 */
export const ignoredDocuments = `# Written by Forge: what it keeps for itself. Remove a line to have git see those files.
/.gitignore
/runs/
/*-plan.md
/*-waves.json
/*-state.json
/*-metrics.json
/*-dev-W*.md
/*-test-W*.md
/*-handoff-W*.md
/*-test-integration.md
/*-knowledge.md
/*.tmp
`;
