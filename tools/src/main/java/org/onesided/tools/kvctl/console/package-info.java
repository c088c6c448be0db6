/**
 * The process around a command: streams, exit codes, stop signals, and how data and progress are shown.
 */
package org.onesided.tools.kvctl.console;
