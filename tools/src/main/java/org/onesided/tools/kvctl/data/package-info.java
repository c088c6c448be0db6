/**
 * Commands that look keys up and change them, one at a time or by the file.
 */
package org.onesided.tools.kvctl.data;
