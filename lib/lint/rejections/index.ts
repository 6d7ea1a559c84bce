/** Predicts which rendered objects the API server will refuse, and which field of the user's resource causes it. */
export { predictRejections, type Rejection } from './predict-rejections.ts';
