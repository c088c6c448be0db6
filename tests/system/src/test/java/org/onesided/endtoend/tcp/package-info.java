/**
 * The store over the device {@code tcp}.
 */
package org.onesided.endtoend.tcp;
