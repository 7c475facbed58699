// The constraints of constants: each holds in a chunk, and the others violate
// what their name says.

func.func @integer_constant_holds(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
  %0 = stablehlo.add %arg0, %arg0 {given = [127 : i8, -128 : i8, 255 : ui8, 0x7f : i8, 3 : i2]} : tensor<2x!quant.uniform<i8:f32, 0.5>>
  func.return %0 : tensor<2x!quant.uniform<i8:f32, 0.5>>
}

// -----

func.func @integer_constant_c1_high(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{no value of i8}}
  %0 = stablehlo.add %arg0, %arg0 {given = 256 : i8} : tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// -----

func.func @integer_constant_c1_low(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{no value of i8}}
  %0 = stablehlo.add %arg0, %arg0 {given = -129 : i8} : tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// -----

func.func @integer_constant_c1_negative(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{no value of ui8}}
  %0 = stablehlo.add %arg0, %arg0 {given = -1 : ui8} : tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// -----

func.func @integer_constant_c1_fraction(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{no value of i8}}
  %0 = stablehlo.add %arg0, %arg0 {given = 1.5 : i8} : tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// -----

func.func @float_constant_holds(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
  %0 = stablehlo.add %arg0, %arg0 {given = [1.5 : f32, -1.0e-3 : f64, 0x7FC00000 : f32, 0x7e : f8E4M3FN, 2 : f16]} : tensor<2x!quant.uniform<i8:f32, 0.5>>
  func.return %0 : tensor<2x!quant.uniform<i8:f32, 0.5>>
}

// -----

func.func @float_constant_c1(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{no value of f64}}
  %0 = stablehlo.add %arg0, %arg0 {given = 1.0e400 : f64} : tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// -----

func.func @float_constant_c2_few(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{four digits of eight}}
  %0 = stablehlo.add %arg0, %arg0 {given = 0x7FC0 : f32} : tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// -----

func.func @float_constant_c2_many(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{nine digits of eight}}
  %0 = stablehlo.add %arg0, %arg0 {given = 0x07FC00000 : f32} : tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// -----

func.func @complex_constant_holds() -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.constant dense<[(1.0, -2.0), (0x7FC00000, 0.0)]> : tensor<2xcomplex<f32>>
  func.return %0 : tensor<2xcomplex<f32>>
}

// -----

func.func @complex_constant_c1() -> tensor<complex<f32>> {
  // expected-error@+1 {{the real part has four digits of eight}}
  %0 = stablehlo.constant dense<(0x7FC0, 0.0)> : tensor<complex<f32>>
  func.return %0 : tensor<complex<f32>>
}

// -----

func.func @complex_constant_c2() -> tensor<complex<f64>> {
  // expected-error@+1 {{the imaginary part is no value of f64}}
  %0 = stablehlo.constant dense<(0.0, 1.0e400)> : tensor<complex<f64>>
  func.return %0 : tensor<complex<f64>>
}

// -----

func.func @tensor_constant_holds() -> tensor<2x3xi8> {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, -6]]> : tensor<2x3xi8>
  func.return %0 : tensor<2x3xi8>
}

// -----

func.func @tensor_constant_c1() -> tensor<2x3xi8> {
  // expected-error@+1 {{600 is no i8}}
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 600]]> : tensor<2x3xi8>
  func.return %0 : tensor<2x3xi8>
}

// -----

func.func @tensor_constant_c1_boolean() -> tensor<2xi1> {
  // expected-error@+1 {{2 is no truth value}}
  %0 = stablehlo.constant dense<[true, 2]> : tensor<2xi1>
  func.return %0 : tensor<2xi1>
}

// -----

func.func @tensor_constant_c1_float() -> tensor<2xi32> {
  // expected-error@+1 {{1.5 is no i32}}
  %0 = stablehlo.constant dense<1.5> : tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// -----

func.func @tensor_constant_c2_few() -> tensor<2x3xi8> {
  // expected-error@+1 {{two columns of three}}
  %0 = stablehlo.constant dense<[[1, 2], [4, 5]]> : tensor<2x3xi8>
  func.return %0 : tensor<2x3xi8>
}

// -----

func.func @tensor_constant_c2_rows() -> tensor<2x3xi8> {
  // expected-error@+1 {{one row of two}}
  %0 = stablehlo.constant dense<[[1, 2, 3]]> : tensor<2x3xi8>
  func.return %0 : tensor<2x3xi8>
}

// -----

func.func @tensor_constant_c2_flat() -> tensor<1x3xi8> {
  // expected-error@+1 {{one dimension of two}}
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<1x3xi8>
  func.return %0 : tensor<1x3xi8>
}

// -----

func.func @tensor_constant_c2_nested() -> tensor<3xi8> {
  // expected-error@+1 {{two dimensions of one}}
  %0 = stablehlo.constant dense<[[1, 2, 3]]> : tensor<3xi8>
  func.return %0 : tensor<3xi8>
}

// -----

func.func @quantized_tensor_constant_holds() -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
  %0 = stablehlo.constant dense<[1, -2]> : tensor<2x!quant.uniform<i8:f32, 0.5>>
  func.return %0 : tensor<2x!quant.uniform<i8:f32, 0.5>>
}

// -----

func.func @quantized_tensor_constant_c1() -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
  // expected-error@+1 {{elements are of the storage type}}
  %0 = stablehlo.constant dense<[1, 200.5]> : tensor<2x!quant.uniform<i8:f32, 0.5>>
  func.return %0 : tensor<2x!quant.uniform<i8:f32, 0.5>>
}

// -----

func.func @quantized_tensor_constant_c2() -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
  // expected-error@+1 {{three elements of two}}
  %0 = stablehlo.constant dense<[1, -2, 3]> : tensor<2x!quant.uniform<i8:f32, 0.5>>
  func.return %0 : tensor<2x!quant.uniform<i8:f32, 0.5>>
}
