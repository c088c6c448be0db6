/**
 * The command line: {@link org.onesided.tools.kvctl.Kvctl} and one class per command.
 */
package org.onesided.tools.kvctl;
