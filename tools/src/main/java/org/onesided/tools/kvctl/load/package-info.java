/**
 * {@code kvctl load} and {@code kvctl load compare}.
 */
package org.onesided.tools.kvctl.load;
