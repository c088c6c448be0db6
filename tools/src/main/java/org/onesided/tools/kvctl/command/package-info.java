/**
 * What the commands of kvctl share: the invocation around them, their options and how their failures are told.
 */
package org.onesided.tools.kvctl.command;
