/**
 * What becomes of a server when clients are killed, stopped, or come and go for long.
 */
package org.onesided.endtoend.faults;
