/**
 * The files of the logs as Ratis leaves them: checked, repaired after a crash, and synced, while Ratis does not run.
 */
package org.onesided.server.raft.files;
