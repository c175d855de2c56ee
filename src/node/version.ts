/** Version of this program, as its manifest states it (a test compares the two). */
export const VERSION = '0.1.0';
