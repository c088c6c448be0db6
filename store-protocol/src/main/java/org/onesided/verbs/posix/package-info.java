/**
 * The C library's functions that devices call: the one place for files, mappings, pipes and waiting.
 */
package org.onesided.verbs.posix;
