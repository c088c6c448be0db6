/**
 * Runs a workload against a store: threads, pace, recording, and several processes of them.
 */
package org.onesided.tools.load.run;
