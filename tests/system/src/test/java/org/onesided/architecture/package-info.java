/**
 * The rules of the house, kept by tests: which package may use which.
 */
package org.onesided.architecture;
