/** The version of Forge, as package.json has it; a test compares the two. */
export const forgeVersion = '0.1.0';
