/**
 * {@code kvctl quickstart}.
 */
package org.onesided.tools.kvctl.quickstart;
