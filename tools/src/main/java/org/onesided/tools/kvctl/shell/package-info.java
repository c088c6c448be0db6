/**
 * Lines that are typed or piped: split into words and carried out. Only this package knows JLine.
 */
package org.onesided.tools.kvctl.shell;
