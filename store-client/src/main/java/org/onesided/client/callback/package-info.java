/**
 * Tells the application how asynchronous operations ended: each end once, even if callbacks throw, block or close the
 * client. A separate package, because it does not depend on how operations are carried out. Internal; it uses
 * {@code exceptions} only.
 */
package org.onesided.client.callback;
