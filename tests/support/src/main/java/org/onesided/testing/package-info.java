/**
 * What tests of several packages share.
 */
package org.onesided.testing;
