/**
 * Lines that are typed or piped: split into words, carried out, and none of them the end. Only this package knows JLine.
 */
package org.onesided.tools.kvctl.shell;
