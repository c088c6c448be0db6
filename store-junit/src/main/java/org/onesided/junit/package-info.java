/**
 * A server for the tests of applications, in their own process: {@link org.onesided.junit.OnesidedServer}. It needs
 * JUnit Jupiter 5.10 or newer.
 */
@NullMarked
package org.onesided.junit;

import org.jspecify.annotations.NullMarked;
