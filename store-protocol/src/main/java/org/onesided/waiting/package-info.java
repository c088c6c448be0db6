/**
 * How threads of this project wait: they look again for a while as long as that pays, and block otherwise. Client,
 * server and devices share these classes, so that they judge alike.
 */
package org.onesided.waiting;
