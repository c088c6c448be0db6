/**
 * The command line: {@link org.onesided.tools.kvctl.Kvctl} and the commands below it by groups.
 */
package org.onesided.tools.kvctl;
